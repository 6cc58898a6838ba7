// A module of its own, so that it runs before the certificate library in bundles, too.
import 'reflect-metadata';
