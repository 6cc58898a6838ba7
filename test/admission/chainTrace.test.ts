/** What the trace says of the chain of plugins, against what each plugin did. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ChainTimer,
  createAdmission,
  type AdmissionAttributes,
  type AdmissionPlugin,
} from '../../src/admission/index.ts';
import { manualClock, Metrics } from '../../src/std/index.ts';
import { Breakpoints, createTracer, type TraceEvent } from '../../src/trace/index.ts';
import { pod, request, START } from './helpers.ts';

interface Deed {
  readonly changes: boolean;
  readonly waits: boolean;
  /** It says whether it changes objects at once. */
  readonly says: boolean;
}

const deeds = fc.array(fc.record({ changes: fc.boolean(), waits: fc.boolean(), says: fc.boolean() }), { maxLength: 8 });

function pluginOf({ changes, waits, says }: Deed, index: number): AdmissionPlugin {
  const name = `P${index}`;
  const change = ({ object }: AdmissionAttributes): void => {
    if (object && changes) object.metadata.labels = { ...object.metadata.labels, [name]: 'seen' };
  };
  return {
    name,
    handles: () => true,
    admit: (attributes) => (waits ? Promise.resolve().then(() => change(attributes)) : change(attributes)),
    ...(says && { changesAtOnce: () => changes && !waits }),
  };
}

/** What the events say of each plugin, in order: its name, and the label that it added. */
const said = (events: readonly TraceEvent[]): readonly string[] =>
  events.flatMap((event) => {
    if (event.topic !== 'request') return [];
    if (event.stage === 'idle') return event.plugins;
    if (event.stage !== 'admission') return [];
    return [[event.plugin, ...(event.patch ?? []).map((operation) => JSON.stringify(operation))].join(' ')];
  });

it('is which plugins changed the object, and how, in order', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (all) => {
      const events: TraceEvent[] = [];
      const clock = manualClock(START);
      const tracer = createTracer(clock);
      tracer.listen((event) => events.push(event));
      const admission = createAdmission(
        all.map(pluginOf),
        tracer,
        new Breakpoints(),
        new ChainTimer(new Metrics(), clock),
      );
      await admission.admit(request('CREATE pods', { object: pod({}, { labels: { first: 'one' } }) }));
      const expected = all.map(({ changes }, index) =>
        changes ? `P${index} {"op":"add","path":"/metadata/labels/P${index}","value":"seen"}` : `P${index}`,
      );
      expect(said(events)).toEqual(expected);
    }),
  );
});
