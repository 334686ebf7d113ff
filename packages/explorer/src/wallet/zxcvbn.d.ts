/** The part of zxcvbn-ts that the wallet uses, so that the compiler need not read the dictionaries. */
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
