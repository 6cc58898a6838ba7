/** One input of the fuzzer, in a form that can be kept in a file. */

/** A request; bytes that are no text are kept in base64. */
export interface RequestInput {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly bytes?: string;
}

/** A configuration file, and the reader that gets it. */
export interface FileInput {
  readonly file: string;
  readonly text: string;
}

export type Input = RequestInput | FileInput;
