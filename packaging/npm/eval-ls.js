#!/usr/bin/env node
// Runs the program of the package for this system, with the arguments, streams, signals and exit status of this process.
'use strict';
const { spawn } = require('node:child_process');
const os = require('node:os');

const packages = require('../package.json').optionalDependencies;

function fail(message) {
  process.stderr.write(`eval-ls: ${message}\n`);
  process.exit(1);
}

function programOf() {
  // Windows on arm64 runs programs for x64.
  const arch = process.platform === 'win32' ? 'x64' : process.arch;
  const name = `@eval-ls/${process.platform}-${arch}`;
  if (!(name in packages)) {
    const known = Object.keys(packages).map((known) => known.replace('@eval-ls/', '')).join(', ');
    fail(`there is no program for ${process.platform}-${process.arch} in npm, only for ${known}; install eval-ls with cargo instead.`);
  }
  try {
    return require.resolve(`${name}/bin/eval-ls${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    return fail(`the package ${name} is missing; install eval-ls again without --omit=optional.`);
  }
}

// A terminal sends these signals to the program too.
const ofTerminal = ['SIGINT', 'SIGQUIT'];
const isInTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
const program = spawn(programOf(), process.argv.slice(2), { stdio: 'inherit' });
for (const signal of [...ofTerminal, 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!(isInTerminal && ofTerminal.includes(signal))) {
      program.kill(signal);
    }
  });
}
program.on('error', (error) => { fail(`the program could not be started: ${error.message}`); });
program.on('exit', (status, signal) => {
  process.exit(status ?? 128 + os.constants.signals[signal]);
});
