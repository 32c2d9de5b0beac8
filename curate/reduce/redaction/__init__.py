"""One secret taken out everywhere: keys, texts, trees, titles, names of files, pixels. Read recording.py first.

secrets.py    the file of secrets
spellings.py  how a secret may be written: escaped, encoded, in another case
typed.py      which keys typed or pasted it
rows.py       rows without it
places.py     where and when it may show: spans of typing, boxes of tree nodes
drawn.py      how it looks: pieces of pictures, found again in any picture
lettering.py  its letters: rows, words, without the caret
blackening.py what is black in which picture
video.py      the video without it
scan.py       looks for it in everything that was written
fragments.py  the second search, for halves of it
marks.py      what was done already
recording.py  the whole way of a recording
record.py     the same for a record that is no recording
pictures.py   pictures of such a record, as a slow film
"""
