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

const signed: Check = object('The status of the request contains the certificate.', resource, 'erin', {
  path: 'status.certificate',
  exists: true,
});

export const lesson: Lesson = {
  ...cards.certificates,
  intro: [
    'A client certificate says: the owner of this key is Erin, in the group staff. The cluster’s certificate authority signs it.',
    'Erin keeps her private key. She only sends a request.',
  ],
  start: { steps: [] },
  tasks: [
    {
      title: 'Request a certificate',
      text: [
        'Create a CertificateSigningRequest named `erin`, for the user `erin` and the group `staff`.',
        'Access, Certificates creates the key in your browser and writes the request. Choose the signer for client certificates.',
      ],
      where: { panel: 'access', path: ['certificates'] },
      hints: [
        'The name of the request is `erin`. The user is `erin`. The group is `staff`.',
        'The signer is `{label}/{prefix}-apiserver-client`. It signs certificates for clients of the API server.',
      ],
      checks: [
        object(
          'There is a request `erin` for a client certificate.',
          resource,
          'erin',
          { path: 'spec.signerName', is: '{label}/{prefix}-apiserver-client' },
          { path: 'spec.usages', has: 'client auth' },
        ),
      ],
      solution: [apply(signing)],
      note: 'Anyone can put any name into a request. Nobody has checked it yet. That is what approval is for.',
    },
    {
      title: 'Approve the request',
      text: [
        'The signer only signs approved requests. Approve this one.',
        'By approving, you confirm that this really is Erin. Then a controller signs the certificate and puts it into the status.',
      ],
      where: { panel: 'access', path: ['certificates'] },
      commands: ['{ctl} certificate approve erin'],
      note: 'Ask the class what they would check before they approve.',
      hints: ['The list of requests has a button to approve it.'],
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
      title: 'Give the group permissions',
      text: [
        'The certificate proves who Erin is. RBAC decides what she may do.',
        'Bind the ClusterRole `view` to the group `staff` in the namespace default.',
      ],
      where: { panel: 'explore', path: [RBAC, 'rolebindings'], query: { ns: 'default' } },
      commands: ['{ctl} create rolebinding staff-views -n default --clusterrole=view --group=staff'],
      note: 'Ask what Erin may do with the certificate alone. The answer is nothing.',
      hints: ['A RoleBinding may refer to a ClusterRole. Then the rules apply in that namespace only.'],
      checks: [
        may('Members of the group `staff` may read pods in default.', {
          ...staff,
          verb: ['get', 'list', 'watch'],
          resource: 'pods',
          namespace: 'default',
        }),
        mayNot('They may not change anything.', {
          ...staff,
          verb: ['create', 'update', 'patch', 'delete'],
          resource: ['pods', 'secrets'],
          namespace: 'default',
        }),
        mayNot('They may not list pods in other namespaces.', {
          ...staff,
          verb: 'list',
          resource: 'pods',
          namespace: '{prefix}-system',
        }),
        mayNot('Without the group, Erin may not list pods either.', {
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
      title: 'Use the certificate',
      text: [
        'Act as Erin with her certificate. Each request then proves that you have her key.',
        'List the pods in the namespace default.',
      ],
      where: { panel: 'access', path: ['certificates'] },
      note: 'Show the steps of the request: the user and the group come from the certificate.',
      hints: [
        'In Access, Certificates, act as the holder of the certificate.',
        'Then open Explore, Pods, in the namespace default.',
      ],
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
      text: 'Certificate requests, and the certificates with their dates.',
      link: { panel: 'access', path: ['certificates'] },
    },
    { text: 'How each request was authenticated.', link: { panel: 'requests' } },
  ],
  why: [
    'A signed certificate can’t be revoked. It is valid until it expires, so keep the lifetime short. You can still take permissions away with RBAC.',
    'Anyone who may approve requests can become anybody. Protect that permission like the private key of the authority.',
  ],
};
