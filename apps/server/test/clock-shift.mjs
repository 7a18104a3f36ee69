// Loaded into a server process before everything else: its clock runs CLOCK_SHIFT_MS ahead of the machine's, and jumps ahead by another
// CLOCK_JUMP_MS at every SIGUSR2. That is time passing, for the database as well (scheduled-server.mjs). CLOCK_ERROR_MS stands for a machine
// whose clock is wrong.
let shift = Number(process.env.CLOCK_SHIFT_MS ?? process.env.CLOCK_ERROR_MS ?? 0);
process.on("SIGUSR2", () => {
  shift += Number(process.env.CLOCK_JUMP_MS);
});
const MachineDate = Date;

globalThis.Date = class extends MachineDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [MachineDate.now() + shift] : parts));
  }

  static now() {
    return MachineDate.now() + shift;
  }
};
