export { placeOf, type Answer, type Evidence, type Place, type Remedy } from './answer.ts';
export { explainPacket, stableLabels } from './packet/answer.ts';
export { describeHops, nameOfEnd, nameOfSource, type HopText } from './packet/hops.ts';
