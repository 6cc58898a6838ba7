// A module of its own: the bundler runs a script like this where the module that imports it stands, and that has to be before the library.
import 'reflect-metadata';
