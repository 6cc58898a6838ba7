import type { Client, EventRecorder } from '../../client/index.ts';
import type { Clock, Random } from '../../std/index.ts';
import type { Tracer } from '../../trace/index.ts';
import type { ImageStore } from '../imageStore.ts';

/** What a node's agent gives to the pods that run on it. */
export interface AgentEnvironment {
  readonly node: string;
  readonly hostIP: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly recorder: EventRecorder;
  readonly images: ImageStore;
  readonly addresses: { take(): string; keep(address: string): void; give(address: string): void };
}
