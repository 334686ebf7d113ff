import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { BlobService } from './service.ts';

export class Metrics {
  readonly registry = new Registry();
  readonly uploads: Counter<'result'>;
  readonly refusals: Counter<'code'>;
  readonly uploadedBytes: Counter;
  readonly servedBytes: Counter;
  readonly refusedConnections: Counter;
  readonly expired: Counter;
  private hasProcessFigures = false;

  constructor(service: BlobService) {
    const registers = [this.registry];
    const { catalogue, limits } = service.parts;
    const gauge = (name: string, help: string, value: () => number): void => {
      const made: Gauge = new Gauge({
        name,
        help,
        registers,
        collect: () => made.set(value()),
      });
    };
    gauge('netd_blobs_stored', 'Blobs stored.', () => catalogue.totals().blobs);
    gauge('netd_blobs_bytes', 'Bytes stored and reserved.', () => catalogue.totals().bytes);
    gauge('netd_blobs_capacity_bytes', 'Bytes that may be stored.', () => limits.storageBytes);
    const byClass: Gauge<'class'> = new Gauge({
      name: 'netd_blobs_class_bytes',
      help: 'Bytes stored and reserved, of names with paid or funded work (proven) and of others.',
      labelNames: ['class'],
      registers,
      collect: () => {
        const unproven = catalogue.unprovenBytes();
        byClass.set({ class: 'unproven' }, unproven);
        byClass.set({ class: 'proven' }, catalogue.totals().bytes - unproven);
      },
    });
    gauge(
      'netd_blobs_unproven_capacity_bytes',
      'Bytes that names without paid or funded work may store in all.',
      () => service.unprovenCapacity,
    );
    gauge('netd_blobs_uploads_under_way', 'Uploads under way.', () => service.uploadsUnderWay);
    this.uploads = new Counter({
      name: 'netd_blobs_uploads_total',
      help: 'Uploads taken, by whether the blob was new.',
      labelNames: ['result'],
      registers,
    });
    this.refusals = new Counter({
      name: 'netd_blobs_refusals_total',
      help: 'Refused requests by code.',
      labelNames: ['code'],
      registers,
    });
    this.uploadedBytes = new Counter({
      name: 'netd_blobs_uploaded_bytes_total',
      help: 'Bytes of uploads taken.',
      registers,
    });
    this.refusedConnections = new Counter({
      name: 'netd_blobs_refused_connections_total',
      help: 'Connections closed at once: beyond all that there may be, or those of an address.',
      registers,
    });
    this.expired = new Counter({
      name: 'netd_blobs_expired_total',
      help: 'Blobs of names without paid or funded work that were removed, as no live record named them.',
      registers,
      collect: () => {
        this.expired.reset();
        this.expired.inc(service.expired);
      },
    });
    this.servedBytes = new Counter({
      name: 'netd_blobs_served_bytes_total',
      help: 'Bytes of blobs sent.',
      registers,
    });
  }

  text(): Promise<string> {
    // Process metrics wake the event loop often, so they begin with the first scrape.
    if (!this.hasProcessFigures) collectDefaultMetrics({ register: this.registry });
    this.hasProcessFigures = true;
    return this.registry.metrics();
  }
}
