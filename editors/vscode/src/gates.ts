/** Labels of gates that passed; a closed gate is named by its reason. */
const PASSED: Readonly<Record<string, string>> = {
  disabled: 'switched on',
  snoozed: 'not snoozed',
  language: 'language known',
  'no-model': 'model loaded',
  'comment-or-string': 'in code',
  excluded: 'not excluded',
  'too-large': 'not too large',
  empty: 'something to offer',
  'low-probability': 'likely enough',
  'no-fit': 'fits',
  'no-op': 'changes something',
  reversal: 'no reversal',
  'parses-worse': 'parses',
  rejected: 'not rejected',
  stale: 'up to date',
  cancelled: 'still wanted',
  deadline: 'in time',
  'breaks-code': 'keeps the code whole',
  failed: 'no failure',
  interruptions: 'within the budget',
};

/** The label of a gate. */
export function gateWords(reason: string, passed: boolean): string {
  return (passed ? PASSED[reason] : undefined) ?? reason;
}
