import { apply, asked, may, mayNot, object, send, wait } from '../build.ts';
import { cards } from '../cards.ts';
import type { Check, Lesson } from '../engine/lesson.ts';
import { erinsKey, erinsRequest } from './erin.ts';

const RBAC = 'rbac.authorization.{domain}';
const requests = '/apis/certificates.{domain}/v1/certificatesigningrequests';
const resource = 'certificates.{domain}/v1/certificatesigningrequests';

const signing = `
apiVersion: certificates.{domain}/v1
kind: CertificateSigningRequest
metadata: {name: erin}
spec:
  request: ${erinsRequest}
  signerName: '{label}/{prefix}-apiserver-client'
  usages: [digital signature, key encipherment, client auth]
`;

const staffViews = `
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: staff-views, namespace: default}
subjects: [{apiGroup: ${RBAC}, kind: Group, name: staff}]
roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: view}
`;

const staff = { user: 'somebody', groups: ['staff', 'system:authenticated'] };

const signed: Check = object('The certificate is in the request’s status.', resource, 'erin', {
  path: 'status.certificate',
  exists: true,
});

export const lesson: Lesson = {
  ...cards.certificates,
  intro: [
    'A certificate says: the holder of this key is Erin, of the group staff. The cluster’s authority signs it.',
    'The key never leaves Erin. Only her request travels.',
  ],
  start: { steps: [] },
  tasks: [
    {
      title: 'Ask for it',
      text: [
        'Make a CertificateSigningRequest named `erin`, for the user `erin` and the group `staff`.',
        'Access, Certificates makes the key in your browser and writes the request. Choose the signer for a client’s certificate.',
      ],
      where: { panel: 'access', path: ['certificates'] },
      hints: [
        'The name of the request is `erin`; the user is `erin`; the group is `staff`.',
        'The signer is `{label}/{prefix}-apiserver-client`: it signs certificates with which clients come to the API server.',
      ],
      checks: [
        object(
          'There is a request `erin` for a client’s certificate.',
          resource,
          'erin',
          { path: 'spec.signerName', is: '{label}/{prefix}-apiserver-client' },
          { path: 'spec.usages', has: 'client auth' },
        ),
      ],
      solution: [apply(signing)],
      note: 'The request holds the name that Erin claims. Nobody has checked it yet; that is what approval is for.',
    },
    {
      title: 'Approve it',
      text: [
        'The signer signs nothing that nobody approved. Approve the request.',
        'Approval says: I looked, this really is Erin. Then the controller signs, and the certificate appears in the status.',
      ],
      where: { panel: 'access', path: ['certificates'] },
      commands: ['{ctl} certificate approve erin'],
      hints: ['The request stands in the list, with a button to approve it.'],
      checks: [
        object('The request is approved.', resource, 'erin', {
          path: 'status.conditions[type=Approved].status',
          is: 'True',
        }),
        signed,
      ],
      solution: [
        send('PUT', `${requests}/erin/approval`, {
          body: {
            apiVersion: 'certificates.{domain}/v1',
            kind: 'CertificateSigningRequest',
            metadata: { name: 'erin' },
            spec: {
              request: erinsRequest,
              signerName: '{label}/{prefix}-apiserver-client',
              usages: ['digital signature', 'key encipherment', 'client auth'],
            },
            status: {
              conditions: [{ type: 'Approved', status: 'True', reason: 'Checked', message: 'This is Erin.' }],
            },
          },
        }),
        wait(signed),
      ],
    },
    {
      title: 'Let the group in',
      text: [
        'A certificate proves who she is. What she may do is another question, and RBAC answers it.',
        'Bind the ClusterRole `view` to the group `staff`, in the namespace default.',
      ],
      where: { panel: 'explore', path: [RBAC, 'rolebindings'], query: { ns: 'default' } },
      commands: ['{ctl} create rolebinding staff-views -n default --clusterrole=view --group=staff'],
      hints: ['A RoleBinding may name a ClusterRole: then its rules hold in that namespace only.'],
      checks: [
        may('Everybody of the group `staff` may list pods in default.', {
          ...staff,
          verb: ['get', 'list', 'watch'],
          resource: 'pods',
          namespace: 'default',
        }),
        mayNot('They may change nothing.', {
          ...staff,
          verb: ['create', 'update', 'patch', 'delete'],
          resource: ['pods', 'secrets'],
          namespace: 'default',
        }),
        mayNot('They may see nothing elsewhere.', {
          ...staff,
          verb: 'list',
          resource: 'pods',
          namespace: '{prefix}-system',
        }),
        mayNot('Without the group, not even Erin may.', {
          user: 'erin',
          verb: 'list',
          resource: 'pods',
          namespace: 'default',
        }),
        mayNot('They may not read secrets.', {
          ...staff,
          verb: ['get', 'list', 'watch'],
          resource: 'secrets',
          namespace: 'default',
        }),
      ],
      solution: [apply(staffViews)],
    },
    {
      title: 'Use it',
      text: [
        'Act as Erin by her certificate: the page proves with each request that it holds her key.',
        'List the pods of the namespace default.',
      ],
      where: { panel: 'access', path: ['certificates'] },
      hints: ['In the list of certificates, act as the holder.', 'Then open Explore, Pod, in the namespace default.'],
      checks: [
        asked('Erin listed pods with her certificate (200).', {
          user: 'erin',
          by: 'client certificate',
          verb: 'list',
          path: '/namespaces/default/pods',
          status: 200,
        }),
      ],
      solution: [
        send('GET', `${requests}/erin`, { keep: { certificate: 'status.certificate' } }),
        send('GET', '/api/v1/namespaces/default/pods', { as: { certificate: '<certificate>', key: erinsKey } }),
      ],
    },
  ],
  seen: [
    {
      text: 'Requests for certificates, and the certificates with their dates.',
      link: { panel: 'access', path: ['certificates'] },
    },
    { text: 'By what method each request was recognised.', link: { panel: 'requests' } },
  ],
  why: [
    'A signed certificate can’t be called back: it is good until it ends. Keep the time short, and give rights to groups you can empty by RBAC.',
    'Whoever may approve requests can become anybody. Guard that right like the authority’s own key.',
  ],
};
