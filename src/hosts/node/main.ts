import { randomBytes } from 'node:crypto';
import { inBackground } from '../../std/index.ts';
import { withAdministrator } from './administrator.ts';
import { readArguments, usage, UsageError } from './arguments.ts';
import { surviveErrors } from './problems.ts';
import { nodeSandbox } from './sandbox.ts';
import { serve } from './serve.ts';

/** `npm run serve`: prints one line when it is ready, and ends on an interrupt. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return console.log(usage);
  const options = readArguments(args);
  const { cluster, token } = withAdministrator(options.cluster, () => randomBytes(12).toString('hex'));
  const sandbox = nodeSandbox(new URL('./sandboxThread.mjs', import.meta.url));
  const served = await serve({ ...options, cluster }, { sandbox });
  for (const warning of served.cluster.warnings) console.error(`warning: ${warning}`);
  const how = token === undefined ? '' : `; an administrator sends "Authorization: Bearer ${token}"`;
  console.log(`Cluster ${cluster.name} (${cluster.naming ?? 'cluster.io'}) is ready at ${served.url}${how}`);
  surviveErrors(process, served.cluster.trace, console.error);
  const end = (): void =>
    inBackground(
      served.close().then(() => process.exit(0)),
      fail,
    );
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

function fail(error: unknown): void {
  console.error(
    error instanceof UsageError ? `${error.message}\n${usage}` : error instanceof Error ? error.message : error,
  );
  process.exit(1);
}

inBackground(main(process.argv.slice(2)), fail);
