export { placeOf, type Answer, type Evidence, type Place, type Remedy } from './answer.ts';
export { partiesOf } from './deletion/parties.ts';
export { previewDeletion, type DeletionPreview, type DeletionStep, type Propagation } from './deletion/preview.ts';
export { namespaceHolds, waitsOf, type ByHand, type NamespaceHold, type Wait } from './deletion/waiting.ts';
export { World, type KnownObject } from './deletion/world.ts';
export { explainPacket, stableLabels } from './packet/answer.ts';
export { describeHops, nameOfEnd, nameOfSource, type HopText } from './packet/hops.ts';
