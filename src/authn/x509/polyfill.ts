// A separate module: the bundler executes such a script at the position of its import, which has to precede the
// library.
import 'reflect-metadata';
