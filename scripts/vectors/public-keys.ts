import { bytesToBase64 as base64, bytesToHex, hexToBytes } from '@netd/protocol';
import { P, pemAround, pemOfRaw, scalarBytes, testKey, craftedSignatures, SMALL_ORDER_POINTS } from '@netd/protocol/testing';
import { nextLetter } from './base64.ts';

export function publicKeys(): unknown {
  const { raw, publicKey: pem } = testKey('alice');
  const body = pem.split('\n')[1] ?? '';
  const der = (prefix: string, bytes = raw): string =>
    pemAround(base64(new Uint8Array([...hexToBytes(prefix), ...bytes])));
  const valid = {
    'line feeds': pem,
    'carriage returns and line feeds': pem.replaceAll('\n', '\r\n'),
    'no line break at the end': pem.trimEnd(),
    'mixed line breaks': pem.replace('\n', '\r\n'),
  };
  const point = (y: bigint, sign = 0n): string => pemOfRaw(scalarBytes(y + (sign << 255n)));
  const invalid: [string, string, string][] = [
    ['empty', '', 'NOT_SPKI_PEM'],
    ['base64 alone', body, 'NOT_SPKI_PEM'],
    ['space before', ` ${pem}`, 'NOT_SPKI_PEM'],
    ['line break before', `\n${pem}`, 'NOT_SPKI_PEM'],
    ['two line breaks at the end', `${pem}\n`, 'NOT_SPKI_PEM'],
    ['space at the end', `${pem} `, 'NOT_SPKI_PEM'],
    ['carriage return alone', pem.replaceAll('\n', '\r'), 'NOT_SPKI_PEM'],
    ['base64 on two lines', pemAround(`${body.slice(0, 30)}\n${body.slice(30)}`), 'NOT_SPKI_PEM'],
    ['private key label', pem.replaceAll('PUBLIC', 'PRIVATE'), 'NOT_SPKI_PEM'],
    ['two keys', pem + pem, 'NOT_SPKI_PEM'],
    ['base64url', pemAround(`${body.slice(0, 40)}-_${body.slice(42)}`), 'NOT_SPKI_PEM'],
    ['59 characters', pemAround(body.slice(0, 59)), 'NOT_SPKI_PEM'],
    ['64 characters', pemAround(`${body.slice(0, 59)}AAAA=`), 'NOT_SPKI_PEM'],
    [
      'padding in the middle',
      pemAround(`${body.slice(0, 30)}=${body.slice(30, 59)}`),
      'NOT_SPKI_PEM',
    ],
    ['padding at the start', pemAround(`=${body.slice(0, 59)}`), 'NOT_SPKI_PEM'],
    [
      'stray bits before the padding',
      pemAround(`${body.slice(0, 58)}${nextLetter(body[58])}=`),
      'NOT_SPKI_PEM',
    ],
    ['45 bytes', pemAround(`${body.slice(0, 59)}A`), 'NOT_SPKI_PEM'],
    ['43 bytes', pemAround(`${body.slice(0, 58)}==`), 'NOT_SPKI_PEM'],
    ['X25519', der('302a300506032b656e032100'), 'NOT_SPKI_PEM'],
    ['Ed448 identifier', der('302a300506032b6571032100'), 'NOT_SPKI_PEM'],
    ['one unused bit', der('302a300506032b6570032101'), 'NOT_SPKI_PEM'],
    ['y = p, another encoding of 0', point(P), 'NOT_CANONICAL'],
    ['y = p + 1, another encoding of 1', point(P + 1n), 'NOT_CANONICAL'],
    ['y = p + 3, a point of large order', point(P + 3n), 'NOT_CANONICAL'],
    ['y = 2^255 - 1 with the sign bit', point(2n ** 255n - 1n, 1n), 'NOT_CANONICAL'],
    ['y = 1 with the sign bit', point(1n, 1n), 'NOT_CANONICAL'],
    ['y = -1 with the sign bit', point(P - 1n, 1n), 'NOT_CANONICAL'],
    ['y = 2, not on the curve', point(2n), 'NOT_ON_CURVE'],
    ...SMALL_ORDER_POINTS.map((hex, i): [string, string, string] => [
      `small-order point ${i}`,
      pemOfRaw(hexToBytes(hex)),
      'SMALL_ORDER',
    ]),
    ...craftedSignatures()
      .filter(({ name }) => name === 'the key has a torsion part, k divisible by 8')
      .map(({ publicKey }): [string, string, string] => [
        'torsion part of order 8',
        pemOfRaw(publicKey),
        'NOT_TORSION_FREE',
      ]),
    ['y = 3, a point of order 8L', point(3n), 'NOT_TORSION_FREE'],
  ];
  return {
    about:
      'Ed25519 SPKI PEM keys. valid: the 32 raw bytes. invalid: NOT_SPKI_PEM (text, base64 or header), NOT_CANONICAL, NOT_ON_CURVE, SMALL_ORDER or NOT_TORSION_FREE.',
    valid: Object.entries(valid).map(([name, text]) => ({ name, pem: text, raw: bytesToHex(raw) })),
    invalid: invalid.map(([name, text, reason]) => ({ name, pem: text, reason })),
  };
}
