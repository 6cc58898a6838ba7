/**
 * The flags of the components (specification, Limits), declared once; parsing, validation and display use the
 * declarations.
 */
export { checkFlags, type FlagsCheck } from './check.ts';
export { components, type Component, type ComponentKey } from './declarations/index.ts';
export { fileAt, fileOf } from './fileOf.ts';
export { examineFlags, FlagError, readFlags, type FlagReading } from './read.ts';
export { type FlagSet } from './flagSet.ts';
export { describeFlags, type FlagsView } from './view.ts';
