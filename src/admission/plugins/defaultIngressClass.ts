/** DefaultIngressClass: an ingress that names no class gets the one that is marked as the default. */
import { status, type objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refuse } from './refuse.ts';

export const defaultIngressClass: PluginDeclaration = {
  name: 'DefaultIngressClass',
  on: true,
  create: (deps) => ({
    name: 'DefaultIngressClass',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => choose(attributes, deps),
  }),
};

function choose(attributes: AdmissionAttributes, { names, list }: PluginDeps): void {
  const { resource, subresource, object } = attributes;
  const group = names.fill('networking.{domain}');
  // What is written through the old group keeps to what it says.
  if (resource.resource !== 'ingresses' || resource.group !== group || subresource !== '') return;
  const ingress = object as objects.Ingress;
  if (
    ingress.spec?.ingressClassName !== undefined ||
    ingress.metadata?.annotations?.[names.fill('{label}/ingress.class')] !== undefined
  )
    return;
  const mark = names.fill('ingressclass.{label}/is-default-class');
  const marked = list({ group, resource: 'ingressclasses' }, '').filter(
    (c) => c.metadata.annotations?.[mark] === 'true',
  );
  if (marked.length > 1)
    throw refuse(
      attributes,
      status.internalError(`${marked.length} default IngressClasses were found, only 1 allowed`).message,
    );
  const name = marked[0]?.metadata.name;
  if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
}
