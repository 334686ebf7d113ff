import type { SubmittedKind } from '@netd/protocol';
import type { Transition } from '../transition.ts';
import { application } from './application.ts';
import { claim } from './claim.ts';
import { intent } from './intent.ts';
import { open } from './open.ts';
import { registration } from './registration.ts';

export const TRANSITIONS: Readonly<Record<SubmittedKind, Transition>> = {
  intent,
  registration,
  application,
  claim,
  open,
};
