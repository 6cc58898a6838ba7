export { backendsOf, referenceTo, subsetsOf, targetPort, type Backend } from './endpoints.ts';
export { namesOfService, resolve, type Answer, type Directory } from './dns.ts';
export {
  judgeConnection,
  type Connection,
  type End,
  type PolicyVerdict,
  type SideVerdict,
  type Surroundings,
} from './policy.ts';
