/** Serves the documentation's build, with this node's address in place of the example's. */
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { withWheelHash } from './downloads.ts';
import { escapeHtml } from './http/page.ts';
import { atThisNode } from './own-address.ts';

const DIST = new URL('../../site/dist/', import.meta.url);

/** Position in bytes in the decompressed `pages.br`. */
type Place = readonly [offset: number, length: number];

export interface DocsManifest {
  schema: 'netd-docs-build/1';
  version: string;
  pages: Readonly<Record<string, { title: string; html: Place; markdown: Place }>>;
  /** SHA-256 of files below /docs/assets/, which are stored only as brotli. */
  files: Readonly<Record<string, string>>;
}

const WRITTEN_PAGE = /^\/docs\/(?:(?:guides|concepts)\/[\w-]+|formats|standards|models|glossary)$/;

export type DocsForm = 'html' | 'markdown';

export class DocsBuild {
  readonly manifest: DocsManifest;
  private readonly folder: URL;
  private unpacking: Promise<Buffer> | null = null;

  private constructor(folder: URL, manifest: DocsManifest) {
    this.folder = folder;
    this.manifest = manifest;
  }

  static read(folder = DIST): DocsBuild | null {
    try {
      const text = readFileSync(new URL('manifest.json', folder), 'utf8');
      return new DocsBuild(folder, JSON.parse(text) as DocsManifest);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return null;
    }
  }

  /**
   * @param path such as /docs/guides/hire
   * @param publicUrl of this node
   * @returns null if there is no such page
   */
  async page(path: string, form: DocsForm, publicUrl: string): Promise<string | null> {
    if (!Object.hasOwn(this.manifest.pages, path)) return null;
    const [offset, length] = this.manifest.pages[path]?.[form] ?? [0, 0];
    this.unpacking ??= promisify(brotliDecompress)(this.bytesOf('pages.br'));
    const text = (await this.unpacking).toString('utf8', offset, offset + length);
    const placed = atThisNode(text, form === 'html' ? escapeHtml(publicUrl) : publicUrl);
    return withWheelHash(placed, publicUrl);
  }

  /** Returns all pages that people wrote, without the reference, as one Markdown text. */
  async written(publicUrl: string): Promise<string> {
    const paths = Object.keys(this.manifest.pages).filter((path) => WRITTEN_PAGE.test(path));
    const pages = paths.map((path) => this.page(path, 'markdown', publicUrl));
    return (await Promise.all(pages)).join('\n');
  }

  async file(name: string): Promise<{ bytes: Buffer; brotli: Buffer } | null> {
    if (!Object.hasOwn(this.manifest.files, name)) return null;
    const brotli = this.bytesOf(`assets/${name}.br`);
    return { bytes: await promisify(brotliDecompress)(brotli), brotli };
  }

  private bytesOf(name: string): Buffer {
    return readFileSync(new URL(name, this.folder));
  }
}
