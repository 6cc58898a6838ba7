/** Columns of flow schemas and priority levels. */
import type { Column } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import type { FlowSchema } from './flowSchema.ts';
import type { PriorityLevelConfiguration } from './priorityLevelConfiguration.ts';

export const flowSchemaColumns: readonly Column<FlowSchema>[] = [
  name,
  text('PriorityLevel', 'Level to which requests are assigned.', ({ spec }) => spec.priorityLevelConfiguration.name),
  text(
    'MatchingPrecedence',
    'Of the schemas that match, the one with the lowest number decides.',
    ({ spec }) => spec.matchingPrecedence,
  ),
  text(
    'DistinguisherMethod',
    'What tells one flow from another.',
    ({ spec }) => spec.distinguisherMethod?.type ?? '<none>',
  ),
  age,
  text(
    'MissingPL',
    'Whether the level does not exist.',
    ({ status }) => status.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ),
];

const NONE = '<none>';

const queuing = ({ spec }: PriorityLevelConfiguration) => spec.limited?.limitResponse.queuing;

export const priorityLevelConfigurationColumns: readonly Column<PriorityLevelConfiguration>[] = [
  name,
  text('Type', 'Whether the level is limited.', ({ spec }) => spec.type),
  text(
    'AssuredConcurrencyShares',
    'Share of the requests that are served at once.',
    ({ spec }) => spec.limited?.assuredConcurrencyShares ?? NONE,
  ),
  text('Queues', 'How many queues there are.', (level) => queuing(level)?.queues ?? NONE),
  text('HandSize', 'Among how many queues a flow chooses.', (level) => queuing(level)?.handSize ?? NONE),
  text('QueueLengthLimit', 'How many requests a queue holds.', (level) => queuing(level)?.queueLengthLimit ?? NONE),
  age,
];
