/** The last calls of webhooks: those that the cluster remembers, and each as it comes. */
import { useEffect, useState } from 'preact/compat';
import type { WebhookCall } from '../../../trace/index.ts';
import { useCluster } from '../../stores/session.ts';

const KEPT = 100;

/** The newest first. */
export function useCalls(): readonly WebhookCall[] {
  const { cluster } = useCluster();
  const [calls, setCalls] = useState<readonly WebhookCall[]>([]);
  useEffect(() => {
    let gone = false;
    const add = (more: readonly WebhookCall[]): void => {
      if (!gone) setCalls((before) => merge(before, more));
    };
    void cluster.webhookCalls?.().then(add, () => undefined);
    const stop = cluster.trace((events) => add(events.filter((event) => event.topic === 'webhook')), ['webhook']);
    return () => {
      gone = true;
      stop();
    };
  }, [cluster]);
  return calls;
}

function merge(before: readonly WebhookCall[], more: readonly WebhookCall[]): readonly WebhookCall[] {
  const known = new Map([...before, ...more].map((call) => [call.id, call]));
  return [...known.values()].sort((a, b) => b.id - a.id).slice(0, KEPT);
}
