/** The certificate library, which needs the metadata polyfill to be loaded first. */
import './polyfill.ts';
export * as x509 from '@peculiar/x509';
