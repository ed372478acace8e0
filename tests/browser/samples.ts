// The files that the story uses and what is asked of them. They lie in samples/,
// or in the folder that SIGHTLINE_SAMPLES names.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Sample {
  file: string;
  type: string;
}

/** A question and the place that answers it. */
export interface Question {
  query: string;
  /** The sample that answers. */
  file: string;
  /** Pages that answer, 1-based; for a video the moment in seconds. */
  pages?: number[];
  seconds?: [number, number];
  /** Words that stand in the framed region (or are said at the moment). */
  words: RegExp;
}

export const samples = {
  chinese: { file: 'handbook-zh.pdf', type: 'application/pdf' },
  english: { file: 'report-en.pdf', type: 'application/pdf' },
  picture: { file: 'scan-report-en.jpg', type: 'image/jpeg' },
  video: { file: 'machines-en.mp4', type: 'video/mp4' },
} satisfies Record<string, Sample>;

// Questions and answers of samples/questions.json, with the words that stand in the right region.
export const questions = {
  english: {
    query: 'how much did energy use change after the oil boiler was replaced',
    file: samples.english.file,
    pages: [8],
    words: /boiler|energy|GWh/i,
  },
  chinese: {
    query: '量筒读数时视线应该对准哪里',
    file: samples.chinese.file,
    pages: [4],
    words: /视线|凹液面|量筒/,
  },
  englishToChinese: {
    query: 'what to do first when acid gets on the skin',
    file: samples.chinese.file,
    pages: [15],
    words: /酸沾到皮肤/,
  },
  plot: {
    query: 'chart of revenue by region stacked by year',
    file: samples.english.file,
    pages: [5],
    words: /revenue|region/i,
  },
  moment: {
    query: 'piston and crankshaft',
    file: samples.video.file,
    seconds: [34, 49],
    words: /piston|crankshaft/i,
  },
} satisfies Record<string, Question>;

export function samplePath(file: string): string {
  const own = fileURLToPath(new URL('../../samples', import.meta.url));
  return join(process.env['SIGHTLINE_SAMPLES'] ?? own, file);
}

export function sampleBytes(file: string): Buffer {
  return readFileSync(samplePath(file));
}

/** Name under which a sample is in the library. */
export function sampleName(file: string): string {
  return basename(file);
}
