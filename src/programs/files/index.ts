export {
  Device,
  DirectoryNode,
  FileNode,
  GeneratedNode,
  LinkNode,
  sizeOf,
  SpecialNode,
  type Attributes,
  type DeviceKind,
  type Node,
  type Reader,
} from './nodes.ts';
export { MountTable, type Mount, type MountMaker, type Mounts, type Place } from './mounts.ts';
export { openFile, type OpenMode } from './open.ts';
export { baseName, directoryName, joinPath, normalize } from './paths.ts';
export { Tree } from './tree.ts';
export { EXECUTE, FileView, READ, WRITE, type Viewpoint } from './view.ts';
