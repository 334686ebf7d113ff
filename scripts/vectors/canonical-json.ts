export function canonicalJson(): unknown {
  return {
    about:
      'RFC 8785. valid: parse input (JSON), canonicalize, compare. numbers: the IEEE 754 bits print as text (appendix B). invalid: the parsed value has no canonical form.',
    valid: [
      {
        name: 'RFC 8785 section 3.2.2',
        input:
          '{\n  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n  "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",\n  "literals": [null, true, false]\n}',
        canonical:
          '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
      },
      {
        name: 'RFC 8785 section 3.2.3: members sort by UTF-16 code unit',
        input:
          '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
        canonical:
          '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
      },
      {
        name: 'no unicode normalisation',
        input: '{"e\\u0301":1,"\\u00e9":2}',
        canonical: '{"e\u0301":1,"\u00e9":2}',
      },
      {
        name: 'every control character',
        input: `"${Array.from({ length: 32 }, (_, i) => `\\u${i.toString(16).toUpperCase().padStart(4, '0')}`).join('')}\\u007F\\u2028"`,
        canonical:
          '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\u007f\u2028"',
      },
      { name: 'negative zero', input: '[-0, -0.0, 0e7]', canonical: '[0,0,0]' },
      {
        name: 'numeric names are no array indexes',
        input: '{"10":1,"9":2,"":3}',
        canonical: '{"":3,"10":1,"9":2}',
      },
      { name: 'nesting', input: ' [ { "b" : [ ] , "a" : { } } ] ', canonical: '[{"a":{},"b":[]}]' },
    ],
    numbers: [
      ['0000000000000000', '0'],
      ['8000000000000000', '0'],
      ['0000000000000001', '5e-324'],
      ['8000000000000001', '-5e-324'],
      ['7fefffffffffffff', '1.7976931348623157e+308'],
      ['ffefffffffffffff', '-1.7976931348623157e+308'],
      ['4340000000000000', '9007199254740992'],
      ['c340000000000000', '-9007199254740992'],
      ['4430000000000000', '295147905179352830000'],
      ['7fffffffffffffff', null],
      ['7ff0000000000000', null],
      ['44b52d02c7e14af5', '9.999999999999997e+22'],
      ['44b52d02c7e14af6', '1e+23'],
      ['44b52d02c7e14af7', '1.0000000000000001e+23'],
      ['444b1ae4d6e2ef4e', '999999999999999700000'],
      ['444b1ae4d6e2ef4f', '999999999999999900000'],
      ['444b1ae4d6e2ef50', '1e+21'],
      ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
      ['3eb0c6f7a0b5ed8d', '0.000001'],
      ['41b3de4355555553', '333333333.3333332'],
      ['41b3de4355555554', '333333333.33333325'],
      ['41b3de4355555555', '333333333.3333333'],
      ['41b3de4355555556', '333333333.3333334'],
      ['41b3de4355555557', '333333333.33333343'],
      ['becbf647612f3696', '-0.0000033333333333333333'],
      ['43143ff3c1cb0959', '1424953923781206.2'],
    ].map(([bits, text]) => ({ bits, text })),
    invalid: [
      { name: 'lone high surrogate', input: '"\\ud83d"' },
      { name: 'lone low surrogate', input: '"\\ude00"' },
      { name: 'surrogates in the wrong order', input: '"\\ude00\\ud83d"' },
      { name: 'lone surrogate in a name', input: '{"\\udead":1}' },
    ],
  };
}
