import type { ApiObject } from '../../../../schema/index.ts';
import { Facts, Ident, StateMark } from '../../../parts/index.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';
import { hrefOf, useAddress } from '../../../stores/address.ts';
import { stateOfPhase } from '../../../theme/states.ts';
import { Containers } from './Containers.tsx';
import { KindLink } from '../ObjectLink.tsx';
import type { Description } from './description.ts';

const phaseOf = (object: ApiObject): string => {
  if (object.metadata.deletionTimestamp) return 'Terminating';
  return asText(at(object, 'status', 'reason')) || asText(at(object, 'status', 'phase'));
};

/** Leads to the scheduler's decision about the pod. */
function DecisionLink({ object: { metadata, spec } }: { readonly object: ApiObject & { readonly spec?: unknown } }) {
  const address = useAddress();
  const path = ['pod', metadata.namespace ?? '', metadata.name ?? ''];
  const words = asText(at(spec, 'nodeName')) ? 'Why there?' : 'Why no node?';
  return <a href={hrefOf({ panel: 'scheduling', path }, address)}>{words}</a>;
}

/** A pod: where it runs, what it is reached by, how its containers do. */
export function describePod(object: ApiObject): readonly Description[] {
  const phase = phaseOf(object);
  const node = asText(at(object, 'spec', 'nodeName'));
  const account = asText(at(object, 'spec', 'serviceAccountName'));
  const ip = asText(at(object, 'status', 'podIP'));
  const facts = (
    <Facts
      facts={[
        ['Phase', phase && <StateMark state={stateOfPhase(phase) ?? 'pending'} text={phase} />],
        ['Message', asText(at(object, 'status', 'message'))],
        ['Node', node ? <KindLink apiVersion="v1" kind="Node" name={node} /> : 'none yet'],
        ['Scheduling', <DecisionLink key="d" object={object} />],
        ['IP', ip ? <Ident key="ip">{ip}</Ident> : 'none yet'],
        [
          'Service account',
          account && (
            <KindLink apiVersion="v1" kind="ServiceAccount" namespace={object.metadata.namespace} name={account} />
          ),
        ],
        ['Quality of service', asText(at(object, 'status', 'qosClass'))],
        ['Priority', asText(at(object, 'spec', 'priority'))],
        ['Restart policy', asText(at(object, 'spec', 'restartPolicy'))],
      ]}
    />
  );
  const init = asList(at(object, 'spec', 'initContainers'));
  const containers = {
    title: 'Containers',
    content: (
      <Containers
        pod={object}
        specs={asList(at(object, 'spec', 'containers'))}
        statuses={asList(at(object, 'status', 'containerStatuses'))}
      />
    ),
  };
  const initial = {
    title: 'Init containers',
    content: <Containers pod={object} specs={init} statuses={asList(at(object, 'status', 'initContainerStatuses'))} />,
  };
  return [{ title: 'Pod', content: facts }, ...(init.length > 0 ? [initial] : []), containers];
}
