# F along the search, one curve for each start, the kicks in black. Called by scripts/search.sh with
# `folder` set; reads folder/segments.dat, writes folder/search.png.
set terminal pngcairo size 1200,640 font "DejaVu Sans,15" background "white"
set output folder."/search.png"

stats folder."/segments.dat" using 2 name "F" nooutput
set title sprintf("Moons, 500 samples, 15 %% of the labels flipped: lowest F = %.2f", F_min) font ",18"
set xlabel "local minima seen"
set ylabel "objective F" offset 1.2,0
set logscale y
set yrange [110:1300]
set ytics (120, 150, 200, 300, 500, 1000) nomirror scale 0.4 textcolor "#555555"
set xtics nomirror scale 0.4 textcolor "#555555"
set border 3 linecolor "#999999"
set grid ytics linetype 1 linewidth 1 linecolor "#dddddd"
set key at graph 0.21,0.97 left top reverse Left samplen 2 font ",14"
set lmargin at screen 0.095
set rmargin at screen 0.97

color(k) = word("#1f5fa8 #d2691e #2e8b57 #8b4fa8", k + 1)
share(k) = word("0.1 0.3 0.03 1", k + 1)
plot for [k = 0:3] folder."/segments.dat" index k using 1:2 with linespoints lw 2.2 pt 7 ps 0.9 \
         lc rgb color(k) title sprintf("start %d: hinge at %s C", k + 1, share(k)), \
     folder."/segments.dat" index 4 using 1:2 with lines lw 1.8 dt 2 lc "black" notitle, \
     folder."/segments.dat" index 4 every ::1 using 1:2 with points pt 7 ps 1.5 lc "black" \
         title "kick that beat all before"
