import { expect, test } from 'vitest';
import { addProfileOf, fromProfile, type ProfileOf, readEnvironment, writeEnvironment } from './profiles';

const plain = { name: 'plain', command: '', directory: '', environment: {}, colours: '' };

test('the daemon is asked for what the profile says, and for nothing else', () => {
  expect(fromProfile(plain)).toEqual({ profile: 'plain' });
  expect(fromProfile({ ...plain, command: 'ssh build', directory: '/src', environment: { A: '1' } })).toEqual(
    {
      profile: 'plain',
      command: ['sh', '-c', 'ssh build'],
      workDir: '/src',
      env: { A: '1' },
    },
  );
});

test('an environment is written as lines, and read back', () => {
  const environment = { LANG: 'C', EMPTY: '', EQUAL: 'a=b ' };
  expect(readEnvironment(writeEnvironment(environment))).toEqual({ environment });
  expect(readEnvironment('\n A=1\n\n')).toEqual({ environment: { A: '1' } });
  for (const line of ['A', '=1', '1A=2', 'A B=1']) expect(readEnvironment(`X=1\n${line}`).wrong).toBe(line);
});

test('the newest terminals and their profiles are remembered', () => {
  let known: ProfileOf = [];
  for (let at = 0; at < 250; ++at) known = addProfileOf(known, `t${at}`, 'ssh');
  known = addProfileOf(known, 't249', 'web');
  expect(known).toHaveLength(200);
  expect(known[0]).toEqual(['t50', 'ssh']);
  expect(known.at(-1)).toEqual(['t249', 'web']);
});
