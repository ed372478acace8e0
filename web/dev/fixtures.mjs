// What the development server knows before anything is added.

const filler = {
  en: [
    'Measurements were taken every fifteen minutes and checked against the reference meter. Values outside three standard deviations were looked at by hand and kept where the cause was known.',
    'The cooling loop holds the supply temperature between 6.5 and 7.2 degrees. Above an outside temperature of 31 degrees the second compressor starts; its current draw is shown in the table below.',
    'All figures refer to the calendar year. Where a meter was replaced, the old reading was carried over and the difference is listed in the appendix.',
  ],
  zh: [
    '所有进入实验室的人员都必须先完成安全培训，并在登记表上签字。未经培训的人员只能在陪同下进入，并须全程佩戴护目镜。',
    '通风橱的面风速应保持在每秒 0.4 至 0.6 米之间。使用前请检查指示灯，指示灯为红色时不得开始实验，并立即通知管理员。',
    '废液按照酸、碱、有机溶剂分类收集，容器不得超过四分之三，标签上应写明成分、日期和负责人。',
  ],
};

function pdfPages(language, count, special) {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    if (special[number]) return special[number];
    const heading = language === 'zh' ? `第 ${number} 节` : `Section ${number}`;
    return [
      { type: 'heading', text: heading },
      ...filler[language].map((text) => ({ type: 'text', text })),
    ];
  });
}

const day = (offset) => new Date(Date.now() - offset * 86_400_000).toISOString();

export const fixtures = [
  {
    id: '01JD0000000000000000000EN1',
    title: 'Annual Energy Report',
    filename: 'energy-report.pdf',
    kind: 'pdf',
    media_type: 'application/pdf',
    language: 'en',
    tags: ['energy', 'report'],
    size_bytes: 2_480_123,
    created_at: day(1),
    pages: pdfPages('en', 62, {
      4: [
        { type: 'heading', text: 'Electricity by month' },
        { type: 'text', text: filler.en[0] },
        { type: 'chart', text: 'Figure 3. Electricity use by month, MWh. August is the peak.', bars: [52, 49, 58, 61, 72, 94, 118, 126, 97, 70, 60, 55] },
        { type: 'text', text: 'Consumption peaks in August, when both compressors run through the night. The peak is 18 percent above the year before.' },
        { type: 'text', text: filler.en[2] },
      ],
      17: [
        { type: 'heading', text: 'Cooling loop' },
        { type: 'text', text: filler.en[1] },
        { type: 'text', text: 'If the supply temperature exceeds 9 degrees for ten minutes, the second compressor is started by hand.' },
      ],
    }),
  },
  {
    id: '01JD0000000000000000000ZH1',
    title: '实验室安全手册',
    filename: '实验室安全手册.pdf',
    kind: 'pdf',
    media_type: 'application/pdf',
    language: 'zh',
    tags: ['实验室'],
    size_bytes: 1_204_998,
    created_at: day(2),
    pages: pdfPages('zh', 24, {
      7: [
        { type: 'heading', text: '3.2 酸液溅到皮肤时的处理' },
        { type: 'text', text: filler.zh[0] },
        { type: 'text', text: '酸液溅到皮肤时，立即用大量清水冲洗至少十五分钟，脱去被污染的衣物，并按下最近的紧急按钮。不要使用碱液中和。' },
        { type: 'chart', text: '图 5　各季度事故数量，第三季度最多。', bars: [40, 62, 118, 55] },
        { type: 'text', text: filler.zh[1] },
      ],
    }),
  },
  {
    id: '01JD0000000000000000000VI1',
    title: 'How the pump is serviced',
    filename: 'pump-service.webm',
    kind: 'video',
    media_type: 'video/webm',
    language: 'en',
    tags: ['training'],
    size_bytes: 8_120_400,
    created_at: day(3),
    duration_ms: 90_000,
    said: [
      [0, 6000, 'Welcome. Today we service the circulation pump of the cooling loop.'],
      [6000, 14000, 'First close both valves and wait until the pressure gauge shows zero.'],
      [14000, 23000, 'Then loosen the four bolts of the housing, crosswise.'],
      [23000, 33000, 'Take the seal out and look for cracks on its inner side.'],
      [33000, 45000, 'A worn seal is replaced; put a little grease on the new one.'],
      [45000, 58000, '现在按对角顺序拧紧螺栓，力矩为二十牛米。'],
      [58000, 72000, 'Open the valves slowly and let the air out at the top.'],
      [72000, 90000, 'Check the pressure gauge again: it should read two point five bar.'],
    ],
  },
  {
    id: '01JD0000000000000000000IM1',
    title: 'mountains-at-noon.svg',
    filename: 'mountains-at-noon.svg',
    kind: 'image',
    media_type: 'image/svg+xml',
    language: null,
    tags: ['photo'],
    size_bytes: 341_202,
    created_at: day(4),
    words: 'mountains with a lake and the sun 山 太阳 湖',
  },
  {
    id: '01JD0000000000000000000FA1',
    title: null,
    filename: 'contract-2023.pdf',
    kind: 'pdf',
    media_type: 'application/pdf',
    state: 'failed',
    reason: 'PDF is encrypted and opens with a password only',
    reason_code: 'permission_denied',
    language: null,
    tags: [],
    size_bytes: 88_120,
    created_at: day(5),
  },
  {
    id: '01JD0000000000000000000FA2',
    title: null,
    filename: 'site-visit.mov',
    kind: 'video',
    media_type: 'video/quicktime',
    state: 'failed',
    reason: 'moov box missing at offset 48',
    reason_code: 'data_loss',
    language: null,
    tags: ['training'],
    size_bytes: 40_993_201,
    created_at: day(6),
  },
];

export const models = [
  { name: 'multilingual-e5-small', kind: 'text', licence: 'MIT', source: 'package:fastembed', digest: 'sha256:4f1d9a0c77ab1208e5d2bb0a', state: 'ready', dims: 384 },
  { name: 'resnet50-features', kind: 'image', licence: 'BSD-3-Clause', source: 'package:torchvision', digest: 'sha256:88b01ca5e1d4417e90aa0012', state: 'ready', dims: 2048 },
  { name: 'ppocr-v4', kind: 'ocr', licence: 'Apache-2.0', source: 'package:rapidocr', digest: 'sha256:0c9912eeab01d3f48a51b2c7', state: 'ready', dims: null },
  { name: 'whisper-base', kind: 'speech', licence: 'MIT', source: 'package:whisper.cpp', digest: null, state: 'missing', dims: null },
];
