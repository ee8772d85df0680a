export const exitCodes = { done: 0, notDone: 1, calledWrongly: 2 } as const;

/** Ends the command with a text for the person and an exit status for scripts. */
export class CliFault extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode: number = exitCodes.notDone) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}
