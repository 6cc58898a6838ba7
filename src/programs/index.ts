export { capabilitiesOf, UNCONFINED, type Confinement } from './confinement.ts';
export { CertificateError, Killed, OutOfMemory, SystemError } from './errors.ts';
export * from './files/index.ts';
export {
  canonicalImage,
  devices,
  imageOf,
  isImageName,
  isKnownImage,
  kernelFiles,
  pullProblem,
  pullTime,
  residentMemory,
  type Image,
} from './images/index.ts';
export {
  Container,
  type ContainerOptions,
  type Exit,
  type Limits,
  type StartOptions,
  type Usage,
} from './kernel/container.ts';
export { Cpu } from './kernel/cpu.ts';
export * from './network/index.ts';
export type { Child, DeclaredPort, Process, Program, User } from './process.ts';
export { parseSignal, type Signal } from './signals.ts';
export * from './streams/index.ts';
export { mountLines } from './tools/system.ts';
