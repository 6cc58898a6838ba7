import { always, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

/** The server's version info. It has no Protobuf form. */
export const Info = struct('apimachinery.pkg.version.Info', {
  major: always(0, string),
  minor: always(0, string),
  gitVersion: always(0, string),
  gitCommit: always(0, string),
  gitTreeState: always(0, string),
  buildDate: always(0, string),
  goVersion: always(0, string),
  compiler: always(0, string),
  platform: always(0, string),
});
export type Info = Infer<typeof Info>;
