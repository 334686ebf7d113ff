/** Loaded before netd: shifts its clock by NETD_TEST_CLOCK_SECONDS. */
const shift = Number(process.env.NETD_TEST_CLOCK_SECONDS) * 1_000;
const { now } = Date;

globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(now() + shift);
    else super(...parts);
  }

  static now() {
    return now() + shift;
  }
};
