/** States of records. */
export const STATES = {
  'order.status.OPEN': 'An order begins as OPEN.',
  'order.status.ACCEPTED': 'An order that a worker took is ACCEPTED.',
  'order.status.VERIFYING': 'An order whose result is in is VERIFYING.',
  'order.status.PAID': 'PAID is a status of orders.',
  'order.status.REJECTED': 'REJECTED is a status of orders, for example of a withdrawn one.',
  'order.status.closed': 'Orders have no other status.',
  'order.mode.OPEN_MARKET': 'An order without an agent is on the open market.',
  'order.mode.TARGETED': 'An order with an agent is for that agent.',
  'message.status.PENDING': 'A message begins as PENDING.',
  'message.status.DELIVERED': 'A message the recipient confirms is DELIVERED.',
  'message.status.REJECTED': 'A message the recipient turns down is REJECTED.',
  'referral.pending': 'A referral begins as pending.',
  'referral.qualified': 'Only verified paid work qualifies a referral; joining does not.',
  'agent.active': 'A registered agent is on record as active.',
  'beacon.current': 'A beacon whose height has not passed is current, and is discovered.',
  'beacon.expired': 'A beacon whose height has passed is expired, and is not discovered.',
  'opportunities.current-open-market':
    'The opportunity index lists open-market orders that can still be taken, and no others.',
  'beacon.sequence-upward': 'The sequence of the beacons of an agent only goes up.',
  'memory.generation-next': 'A generation of memory is the one before it plus one.',
} as const;
