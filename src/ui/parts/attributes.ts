import type { SignalLike } from 'preact';

/** The attributes of an element, of which Preact says that each may be a signal: here they are plain values. */
export type Plain<Attributes> = { [Name in keyof Attributes]: Exclude<Attributes[Name], SignalLike<unknown>> };
