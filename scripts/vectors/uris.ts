import { HTTPS_URI_PATTERN, MAX_STRING_LENGTH, URI_PATTERN } from '@netd/protocol';
import { BAD_URIS, GOOD_URIS } from '@netd/protocol/testing';

const matches = (pattern: string, text: string): boolean =>
  text.length <= MAX_STRING_LENGTH && new RegExp(pattern).test(text);

export function uris(): unknown {
  const texts = [...GOOD_URIS, ...BAD_URIS, `urn:${'x'.repeat(MAX_STRING_LENGTH - 3)}`];
  return {
    about:
      'What may stand where the interface says URI (uri: at most 2,048 characters), and where it says that one starts with https (https: at most 512). One regular expression each, no URL parser: parsers differ.',
    uriPattern: URI_PATTERN,
    httpsPattern: HTTPS_URI_PATTERN,
    texts: texts.map((text) => ({
      text,
      uri: matches(URI_PATTERN, text),
      https: text.length <= 512 && matches(HTTPS_URI_PATTERN, text),
    })),
  };
}
