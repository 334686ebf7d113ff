/** Draws packages/server/cards/static.png again, after a change of the pictures. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svgOf, STATIC_CARD } from '../src/http/card.ts';
import { CardImages } from '../src/http/card-images.ts';

const images = new CardImages(true);
const png = await images.png(svgOf(STATIC_CARD), '');
await images.close();
if (png === null) throw new Error('the picture could not be drawn');
writeFileSync(join(import.meta.dirname, '../cards/static.png'), png);
