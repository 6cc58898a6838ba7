import { exponentialBuckets, histogram } from '../../std/index.ts';

export const conversionDuration = histogram(
  'apiserver_crd_webhook_conversion_duration_seconds',
  'How long conversion webhooks took.',
  exponentialBuckets(0.001, 2, 15),
  ['crd_name', 'from_version', 'to_version', 'succeeded'],
);
