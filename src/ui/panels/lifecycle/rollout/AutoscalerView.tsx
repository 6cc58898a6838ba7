import { events as eventsRef } from '../../../../client/index.ts';
import type { KnownObject } from '../../../../explain/index.ts';
import { Empty, ErrorNote, Facts, Section, StateMark, Waiting } from '../../../parts/index.ts';
import { Gauge } from 'lucide-preact';
import type { ApiObject } from '../../../../schema/index.ts';
import { age, timeOfDay, useNow } from '../../../stores/clock.ts';
import { asList, asNumber, asText, at } from '../../../stores/jsonValues.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { useResources } from '../../../stores/resources.ts';
import { useCluster } from '../../../stores/session.ts';
import { stretchOf } from '../stretch.ts';
import { Bar, Lane, Moment, TimeAxis } from '../TimeAxis.tsx';
import { readingsOf, rescalesOf, windowOf, type Reading } from './readings.ts';
import styles from './rollout.module.css';

const TOLERANCE = '--horizontal-pod-autoscaler-tolerance=';

/** What an autoscaler measures, and what follows from it. */
export function AutoscalerView({ autoscaler }: { readonly autoscaler: KnownObject }) {
  const versions = useResources((state) => state.versions);
  const now = useNow();
  const { cluster } = useCluster();
  const { namespace = '', name = '' } = autoscaler.metadata;
  // Only this version shows metrics and behaviour as fields.
  const resource = versions.find((each) => each.resource === 'horizontalpodautoscalers' && each.version === 'v2beta2');
  const live = useLiveObjects(resource && { resource, namespace, fieldSelector: `metadata.name=${name}` });
  const object = live.objects[0];
  if (!resource)
    return <ErrorNote title="The server does not serve autoscaling/v2beta2.">Its metrics are shown there.</ErrorNote>;
  if (!object) return <Waiting />;
  const given = cluster.options.controllerManager?.find((flag) => flag.startsWith(TOLERANCE));
  const tolerance = given ? Number(given.slice(TOLERANCE.length)) : 0.1;
  const readings = readingsOf(object);
  const conditions = asList(at(object, 'status', 'conditions'));
  return (
    <>
      <Section title={`HorizontalPodAutoscaler ${name}`}>
        <Facts
          facts={[
            [
              'Replicas',
              `${asNumber(at(object, 'status', 'currentReplicas')) ?? 0} now, ${asNumber(at(object, 'status', 'desiredReplicas')) ?? 0} wanted`,
            ],
            [
              'Limits',
              `${asNumber(at(object, 'spec', 'minReplicas')) ?? 1} to ${asNumber(at(object, 'spec', 'maxReplicas')) ?? 1}`,
            ],
            ['Last scaled', lastScaled(asText(at(object, 'status', 'lastScaleTime')), now)],
            ['Window upwards', `${windowOf(object, 'scaleUp')} s`],
            ['Window downwards', `${windowOf(object, 'scaleDown')} s`],
          ]}
        />
      </Section>
      <Section title="Metrics against their targets">
        {readings.length === 0 && <Empty icon={Gauge} title="No metric was read yet" />}
        {readings.map((reading) => (
          <RatioBar key={reading.name} reading={reading} tolerance={tolerance} />
        ))}
      </Section>
      <Section title="Sizes and windows">
        <Windows autoscaler={object} now={now} />
      </Section>
      <Section title="Decisions">
        <ul className={styles.list}>
          {conditions.map((condition) => (
            <li key={asText(at(condition, 'type'))} className={styles.row}>
              <StateMark
                state={at(condition, 'status') === 'True' ? 'ready' : 'pending'}
                text={asText(at(condition, 'type'))}
              />
              <span>
                {asText(at(condition, 'reason'))}: {asText(at(condition, 'message'))}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

const lastScaled = (time: string, now: number): string => (time === '' ? 'never' : `${age(time, now)} ago`);

/** When it scaled, and the stretches of time whose recommendations count. */
function Windows({ autoscaler, now }: { readonly autoscaler: ApiObject; readonly now: number }) {
  const { namespace = '', name = '' } = autoscaler.metadata;
  const fieldSelector = `involvedObject.kind=HorizontalPodAutoscaler,involvedObject.name=${name}`;
  const { objects } = useLiveObjects({ resource: eventsRef, namespace, fieldSelector });
  const sizes = rescalesOf(objects);
  const windows = (['scaleUp', 'scaleDown'] as const).map((way) => ({ way, ms: windowOf(autoscaler, way) * 1000 }));
  const stretch = stretchOf([...sizes.map(({ at: when }) => when), ...windows.map(({ ms }) => now - ms)], now);
  return (
    <TimeAxis stretch={stretch}>
      <Lane name="Scaled">
        {sizes.map((each) => (
          <Moment
            key={each.at}
            stretch={stretch}
            at={each.at}
            look="changed"
            text={`${timeOfDay(each.at)} ${each.text}`}
          />
        ))}
      </Lane>
      {windows.map(({ way, ms }) => (
        <Lane key={way} name={way === 'scaleUp' ? 'Window upwards' : 'Window downwards'}>
          {ms > 0 && (
            <Bar
              stretch={stretch}
              from={now - ms}
              to={now}
              look="pending"
              text={
                way === 'scaleUp'
                  ? `adds pods only up to the lowest recommendation of these ${ms / 1000} s`
                  : `removes pods only down to the highest recommendation of these ${ms / 1000} s`
              }
            />
          )}
        </Lane>
      ))}
    </TimeAxis>
  );
}

/** A ratio on a scale from none to twice the target; within the tolerance nothing is scaled. */
function RatioBar({ reading, tolerance }: { readonly reading: Reading; readonly tolerance: number }) {
  const { name, current, target, ratio } = reading;
  const place = (value: number): number => Math.max(0, Math.min(100, value * 50));
  const near = Math.abs(ratio - 1) <= tolerance;
  const verdict = near
    ? 'within the tolerance: nothing is scaled'
    : ratio > 1
      ? 'above: more pods'
      : 'below: fewer pods';
  return (
    <div className={styles.reading}>
      <span>
        {name}: {current} of {target}, ratio {ratio.toFixed(2)}, {verdict}
      </span>
      <span className={styles.scale} aria-hidden>
        <span
          className={styles.tolerance}
          style={{ left: `${place(1 - tolerance)}%`, width: `${place(1 + tolerance) - place(1 - tolerance)}%` }}
        />
        <span className={styles.needle} style={{ left: `${place(ratio)}%` }} />
      </span>
    </div>
  );
}
