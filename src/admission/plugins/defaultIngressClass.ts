/** DefaultIngressClass: an ingress without a class gets the default class. */
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
  // Writes through the old group are left unchanged.
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
