/** The certificate library, which needs the metadata polyfill to be there before it. */
import './polyfill.ts';
export * as x509 from '@peculiar/x509';
