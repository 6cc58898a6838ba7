export { faultPatch, faultsFor, faultsSet, faultValue, type SetFault } from './annotations.ts';
export { ANNOTATION_PREFIX, initialValue, problemOf, type Fault, type FaultValue } from './fault.ts';
export { faults, type FaultName } from './list.ts';
export { faultWords, wordsOf, type FaultWords } from './words.ts';
