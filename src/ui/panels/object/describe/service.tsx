import type { ApiObject } from '../../../../schema/index.ts';
import { Facts, Ident } from '../../../parts/index.ts';
import { asList, asRecord, asText, at } from '../../../stores/jsonValues.ts';
import { ServiceMembers } from './network.tsx';
import type { Description } from './description.ts';
import { selectorText } from './workload.tsx';

const portText = (port: unknown): string => {
  const name = asText(at(port, 'name'));
  const nodePort = asText(at(port, 'nodePort'));
  const target = asText(at(port, 'targetPort'));
  return `${name && `${name}: `}${asText(at(port, 'port'))}${nodePort && `:${nodePort}`}/${asText(at(port, 'protocol'))} → ${target}`;
};

/** A service: how it is reached, and whom it leads to. */
export function describeService(object: ApiObject): readonly Description[] {
  const { name = '', namespace = '' } = object.metadata;
  const facts = (
    <Facts
      facts={[
        ['Type', asText(at(object, 'spec', 'type'))],
        ['Cluster IP', <Ident key="ip">{asText(at(object, 'spec', 'clusterIP'))}</Ident>],
        ['Name in DNS', <Ident key="dns">{`${name}.${namespace}.svc`}</Ident>],
        ['Selector', <Ident key="s">{selectorText(at(object, 'spec', 'selector'))}</Ident>],
        ['External name', asText(at(object, 'spec', 'externalName'))],
        ['Session affinity', asText(at(object, 'spec', 'sessionAffinity'))],
        ...asList(at(object, 'spec', 'ports')).map(
          (port, index) => [index === 0 ? 'Ports' : ' ', <Ident key={index}>{portText(port)}</Ident>] as const,
        ),
      ]}
    />
  );
  const members = { title: 'Pods behind it', content: <ServiceMembers object={object} /> };
  const selects = Object.keys(asRecord(at(object, 'spec', 'selector'))).length > 0;
  return [...(selects ? [members] : []), { title: 'Service', content: facts }];
}
