-- body %d
mov.u32 %x, %tid.x;
mov.u32 %y, %laneid;
mov.u32 %z, %ntid.x;
shl.b32 %d, %x, 16;
shl.b32 %y, %y, 8;
or.b32 %d, %d, %y;
or.b32 %d, %d, %z;
-- cases
0 -> 0x00000003
0 -> 0x00010103
0 -> 0x00020203
