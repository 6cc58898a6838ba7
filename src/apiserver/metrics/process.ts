/** Process metrics. */
import type { Names } from '../../names/index.ts';
import { gauge, type Clock, type Metrics } from '../../std/index.ts';
import { VERSION } from '../version.ts';

const startTime = gauge('process_start_time_seconds', 'When the cluster was started, in seconds since the epoch.');

const BUILD = [
  ...(['major', 'minor', 'git_version', 'git_commit', 'git_tree_state', 'build_date', 'go_version'] as const),
  ...(['compiler', 'platform'] as const),
];

/** Sets the metrics that stay constant while the process runs. */
export function startProcess(metrics: Metrics, clock: Clock, names: Names): void {
  const build = gauge(
    names.fill('{product}_build_info'),
    'The version that the server says that it is; always 1.',
    BUILD,
  );
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = VERSION;
  metrics.set(startTime, {}, clock.now() / 1000);
  metrics.set(
    build,
    {
      ...{ major, minor, compiler, platform },
      git_version: gitVersion,
      git_commit: gitCommit,
      git_tree_state: gitTreeState,
      build_date: buildDate,
      go_version: goVersion,
    },
    1,
  );
}
