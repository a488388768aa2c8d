// The error of calls that come from code which has been replaced.

export class StaleError extends Error {
  readonly extension: string;
  readonly generation: number;

  constructor(message: string, extension: string, generation: number) {
    super(message);
    this.name = 'StaleError';
    this.extension = extension;
    this.generation = generation;
  }
}
