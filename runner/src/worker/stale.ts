// The error for calls from replaced code.

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
