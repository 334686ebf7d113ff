/** What the wallet uses of zxcvbn-ts, so that types are checked without its dictionaries. */
declare module '@zxcvbn-ts/core' {
  export class ZxcvbnFactory {
    constructor(options: { dictionary: object; graphs: object });
    check(password: string, known?: string[]): { score: number };
  }
}

declare module '@zxcvbn-ts/language-common' {
  export const dictionary: object;
  export const adjacencyGraphs: object;
}
