export { capabilitiesOf, UNCONFINED, type Confinement } from './confinement.ts';
export { CertificateError, Killed, OutOfMemory, SystemError } from './errors.ts';
export * from './files/index.ts';
export {
  base,
  canonicalImage,
  devices,
  imageOf,
  kernelFiles,
  layerOf,
  layerWith,
  deniedText,
  isPrivate,
  pullProblem,
  pullTime,
  residentMemory,
  type Image,
} from './images/index.ts';
export { PidNamespace } from './kernel/pidNamespace.ts';
export { Container, type ContainerOptions, type Exit, type Starter, type Usage } from './kernel/container.ts';
export { type Limits } from './kernel/kernel.ts';
export { type StartOptions, type StreamsSource, type VariablesSource } from './kernel/kernel.ts';
export { Cpu } from './kernel/cpu.ts';
export * from './network/index.ts';
export type { Child, DeclaredPort, Process, Program } from './process.ts';
export type { User } from './user.ts';
export { parseSignal, type Signal } from './signals.ts';
export * from './streams/index.ts';
export { dayOfYear, strftime } from './strftime.ts';
export { mountLines } from './tools/system.ts';
export { isIncomplete, typedShell, type Prompt } from './shell/index.ts';
export { shellWords } from './shell/builtins/index.ts';
export { tools } from './tools/index.ts';
export { fail, linesOf, nameOf, out, readOptions, type Options } from './tools/tool.ts';
