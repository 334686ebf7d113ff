/** Of libsodium's functions, the one that is used here. */
declare module 'sodium-native' {
  const sodium: {
    /**
     * @param signature 64 bytes
     * @param publicKey 32 bytes
     * @throws AssertionError where one of the two is shorter
     */
    crypto_sign_verify_detached: (
      signature: Uint8Array,
      message: Uint8Array,
      publicKey: Uint8Array,
    ) => boolean;
  };
  export default sodium;
}
