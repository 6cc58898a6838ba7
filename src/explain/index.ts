export { placeOf, type Answer, type Evidence, type Place, type Remedy } from './answer.ts';
export { partiesOf } from './deletion/parties.ts';
export {
  previewDeletion,
  previewInSteps,
  type DeletionPreview,
  type DeletionStep,
  type Propagation,
} from './deletion/preview.ts';
export { namespaceHolds, waitsOf, type ByHand, type NamespaceHold, type Wait } from './deletion/waiting.ts';
export { World, type KnownObject, type ScopeOf } from './deletion/world.ts';
export { explainPacket } from './packet/answer.ts';
export { explainLookup, type LookupAnswer } from './packet/lookup.ts';
export { stableLabels } from './packet/policies.ts';
export { membersOf, type Membership } from './network/members.ts';
export { policyInWords, type PolicyWords, type RuleWords, type SideWords } from './network/policyWords.ts';
export { describeHops, nameOfEnd, nameOfSource, type HopText } from './packet/hops.ts';
export { suggestPolicies, type Wanted } from './packet/suggest.ts';
export { reachSince, type ObjectChange, type ReachChange, type Since } from './packet/since.ts';
export { troubleOf, type PodTrouble } from './pods/trouble.ts';
