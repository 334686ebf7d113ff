import type { JsonValue } from '@netd/protocol';

/** T if JSON can hold it. Otherwise a type that T does not fit, so that the compiler names the wrong member. */
type Json<T> = T extends JsonValue
  ? T
  : T extends bigint | symbol | undefined | ((...given: never) => unknown)
    ? never
    : T extends object
      ? { [Member in keyof T]: Json<T[Member]> }
      : never;

/** T if it is text, bytes, or an object or list that JSON can hold. An argument of this type infers T. */
export type Content<T> = T & Held<T>;
type Held<T> = T extends string | Uint8Array ? T : T extends object ? Json<T> : never;

/** T if a step may return it: a value that JSON can hold, nothing, or a promise of either. */
export type Stored<T> = T &
  (T extends PromiseLike<infer Result> ? PromiseLike<Recorded<Result>> : Recorded<T>);
type Recorded<T> = T extends undefined | void ? T : Json<T>;

/** T if a handler may return it: content or one of `Silence`, or a promise of it. */
export type Handled<T, Silence = never> = T &
  (T extends PromiseLike<infer Result>
    ? PromiseLike<Result extends Silence ? Result : Held<Result>>
    : T extends Silence
      ? T
      : Held<T>);
