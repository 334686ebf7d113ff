import { parseAmount } from '@netd/protocol';

/** Texts that are amounts in one reading or another; `null` in a column if that reading refuses them. */
// prettier-ignore
const TEXTS = [
  '5 NET', '5NET', '0.5 net', ' 0.000001NET ', '500000 unet', '500000UNET', '5', '0.5', '0',
  '007', '1.500', '0.0000001 NET', '0.5unet', '9007199254.740991 NET', '9007199254.740992 NET',
  '9007199254740991', '9007199254740992 unet', '9007199255NET', '9'.repeat(400),
  '', ' ', 'NET', '.5', '5.', '5. NET', '.5NET', '1.2.3', '5NETS', '5 N E T', '5 EUR', '0x10',
  '1,5', '1,5 NET', '1.500,25', '1,500.25 NET', '1 500', '1_500', "1'500", '1\u00a0500',
  '-5 NET', '+5 NET', '\u22125', '1e3', '1e3 NET', 'Infinity', 'NaN',
  '\u0665 NET', '\uff15', '5\u00a0NET', '\ufeff5 NET', '5 NET\u2028', '5\nNET', '5 \u212aNET',
];

export function amounts(): unknown {
  return {
    about:
      'Amounts as people type them. NET, unet, none: the unet of the text if a bare number is NET, is unet, or is refused. Digits of ASCII, at most one point, an optional unit in any case; blanks around and before the unit.',
    cases: TEXTS.map((text) => ({
      text,
      NET: parseAmount(text, 'NET'),
      unet: parseAmount(text, 'unet'),
      none: parseAmount(text, null),
    })),
  };
}
