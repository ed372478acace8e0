// The files that the story uses and what is asked of them. Paths are relative to SIGHTLINE_SAMPLES.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

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
  chinese: { file: 'lab-handbook.zh.pdf', type: 'application/pdf' },
  english: { file: 'energy-report.en.pdf', type: 'application/pdf' },
  picture: { file: 'picture.png', type: 'image/png' },
  video: { file: 'pump.mp4', type: 'video/mp4' },
} satisfies Record<string, Sample>;

export const questions = {
  chinese: {
    query: '酸液溅到皮肤上怎么办',
    file: samples.chinese.file,
    pages: [7],
    words: /冲洗|皮肤/,
  },
  english: {
    query: 'In which month is electricity consumption highest?',
    file: samples.english.file,
    pages: [4],
    words: /August|peak/i,
  },
  moment: {
    query: 'pressure gauge of the pump',
    file: samples.video.file,
    seconds: [6, 90],
    words: /pressure/i,
  },
} satisfies Record<string, Question>;

export function samplePath(file: string): string {
  const folder = process.env['SIGHTLINE_SAMPLES'];
  if (!folder) throw new Error('Set SIGHTLINE_SAMPLES to the folder of the samples.');
  return join(folder, file);
}

export function sampleBytes(file: string): Buffer {
  return readFileSync(samplePath(file));
}

/** Name under which a sample is in the library. */
export function sampleName(file: string): string {
  return basename(file);
}
