// Stands for a virtual machine.

declare global {
  var vmsMade: number;
}

export class VM {
  id = '';
  closed = false;

  static async create() {
    globalThis.vmsMade = (globalThis.vmsMade ?? 0) + 1;
    return Object.assign(new VM(), { id: `vm${globalThis.vmsMade}-0123456789` });
  }

  async close() {
    this.closed = true;
  }

  async run(command: string) {
    return `${this.id} ran ${command}`;
  }
}
